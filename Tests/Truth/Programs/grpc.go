// A channel of grpc-go with its defaults: grpc [keepalive]. It connects, and connects again, by itself.
package main

import (
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
)

func main() {
	options := []grpc.DialOption{grpc.WithInsecure()}
	if len(os.Args) > 1 {
		options = append(options, grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: 20 * time.Second, Timeout: 20 * time.Second, PermitWithoutStream: true}))
	}
	if _, err := grpc.Dial("server.test:8080", options...); err != nil {
		panic(err)
	}
	select {}
}

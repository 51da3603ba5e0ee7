// A connection of nats.go with its defaults, which also tries again if it was never connected: nats [changed].
package main

import (
	"os"
	"time"

	"github.com/nats-io/nats.go"
)

func main() {
	options := []nats.Option{nats.RetryOnFailedConnect(true)}
	if len(os.Args) > 1 {
		options = append(options, nats.ReconnectWait(700*time.Millisecond), nats.ReconnectJitter(0, 0), nats.MaxReconnects(25),
			nats.Timeout(3*time.Second), nats.PingInterval(17*time.Second), nats.MaxPingsOutstanding(3))
	}
	if _, err := nats.Connect("nats://server.test:8080", options...); err != nil {
		panic(err)
	}
	select {}
}

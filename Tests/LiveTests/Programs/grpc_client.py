"""A channel of grpcio that stays connected; the preset grpc-core is derived from grpcio's code."""
import sys
import time

import grpc

options = [("grpc.keepalive_time_ms", 3000), ("grpc.keepalive_timeout_ms", 3000), ("grpc.keepalive_permit_without_calls", 1),
           ("grpc.http2.max_pings_without_data", 0)]
channel = grpc.insecure_channel("server.test:8080", options=options)


def tell(state):
    words = {grpc.ChannelConnectivity.READY: "connected", grpc.ChannelConnectivity.TRANSIENT_FAILURE: "lost",
             grpc.ChannelConnectivity.IDLE: "lost"}
    if state in words:
        print("deadzone", words[state], flush=True)


channel.subscribe(tell, try_to_connect=True)
while True:
    grpc.channel_ready_future(channel)
    channel.subscribe(lambda state: None, try_to_connect=True)
    time.sleep(0.1)

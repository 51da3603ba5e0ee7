from concurrent import futures

import grpc

server = grpc.server(futures.ThreadPoolExecutor(), options=[
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 1000), ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_ping_strikes", 0)])
server.add_insecure_port("0.0.0.0:8080")
server.start()
server.wait_for_termination()

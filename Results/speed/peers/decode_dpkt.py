"""Counts the packets of a capture and their bytes of TCP and UDP with dpkt. usage: decode_dpkt.py CAPTURE"""

import sys

import dpkt

packets = payload = 0
with open(sys.argv[1], "rb") as file:
    for _, frame in dpkt.pcap.Reader(file):
        packets += 1
        network = dpkt.ethernet.Ethernet(frame).data
        if isinstance(network, (dpkt.ip.IP, dpkt.ip6.IP6)) and isinstance(network.data, (dpkt.tcp.TCP, dpkt.udp.UDP)):
            payload += len(network.data.data)
print(packets, payload)

#!/bin/sh
# Simulates a phone in its own network namespace behind a pair of devices, with this side of the pair as its gateway.
# Runs in separate namespaces:
#   unshare --map-root-user --net --kill-child --fork sh gateway.sh COMMAND PYTHON SCENARIO FOLDER
# Prints the output of `deadzone live --gateway`, and on standard error the output of the phone's programs.
set -e
cleanup() { kill $guest $phone $live 2>/dev/null || true; }
trap cleanup EXIT
ip link set lo up
unshare --net sleep 100 & phone=$!
sleep 0.3
ip link add usb0 type veth peer name eth0 netns $phone
echo 0 > /proc/sys/net/ipv4/conf/usb0/forwarding
ip addr add 192.168.42.1/24 dev usb0
ip link set usb0 up
nsenter --target $phone --net sh -c '
    ip link set lo up; ip addr add 192.168.42.2/24 dev eth0; ip link set eth0 up; ip route add default via 192.168.42.1'
"$1" live "$3" --gateway usb0 --server "$2 $4/six.py server" --json --exit-zero & live=$!
sleep 0.7
nsenter --target $phone --net "$2" "$4/phone.py" guest >&2 & guest=$!
wait $live

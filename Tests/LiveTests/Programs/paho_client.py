"""paho-mqtt with its own reconnection; the preset paho-python is derived from its code."""
import time

import paho.mqtt.client as mqtt

client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.on_connect = lambda *_: print("deadzone connected", flush=True)
client.on_disconnect = lambda *_: print("deadzone lost", flush=True)
client.connect_async("server.test", 8080, keepalive=3)
client.loop_start()
time.sleep(1000)

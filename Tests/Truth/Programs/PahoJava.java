import org.eclipse.paho.client.mqttv3.MqttAsyncClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;

/** Paho's client with automatic reconnection, which begins once it was connected: PahoJava [changed]. */
class PahoJava {
    public static void main(String[] words) throws MqttException, InterruptedException {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setAutomaticReconnect(true);
        // By default, each attempt that fails is followed at once by another one, with MQTT 3.1.
        options.setMqttVersion(MqttConnectOptions.MQTT_VERSION_3_1_1);
        if (words.length > 0) {
            // It stops the doubling, so that the longest wait is 16 s.
            options.setMaxReconnectDelay(9000);
            options.setConnectionTimeout(7);
            options.setKeepAliveInterval(25);
        }
        new MqttAsyncClient("tcp://server.test:8080", "phone", new MemoryPersistence()).connect(options);
        Thread.sleep(Long.MAX_VALUE);
    }
}

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;

/** OkHttp's WebSocket with its defaults, of an app that opens another as soon as one has failed: OkHttpSocket [keepalive]. */
class OkHttpSocket {
    public static void main(String[] words) throws InterruptedException {
        OkHttpClient client = new OkHttpClient();
        if (words.length > 0) client = client.newBuilder().pingInterval(20, TimeUnit.SECONDS).build();
        // Classes are loaded when they are first needed, which would make the first attempt late.
        open(client, "http://127.0.0.1:1");
        while (true) open(client, "http://server.test:8080");
    }

    /** Until it has failed. */
    private static void open(OkHttpClient client, String url) throws InterruptedException {
        CountDownLatch failed = new CountDownLatch(1);
        client.newWebSocket(new Request.Builder().url(url).build(), new WebSocketListener() {
            @Override public void onFailure(WebSocket socket, Throwable reason, Response response) {
                failed.countDown();
            }
        });
        failed.await();
    }
}

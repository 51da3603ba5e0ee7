import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.TimeUnit;

/** A channel of grpc-java on Netty with its defaults: GrpcJava [keepalive]. */
class GrpcJava {
    public static void main(String[] words) throws InterruptedException {
        warmUp();
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress("server.test", 8080).usePlaintext();
        if (words.length > 0) {
            builder.keepAliveTime(20, TimeUnit.SECONDS).keepAliveTimeout(20, TimeUnit.SECONDS).keepAliveWithoutCalls(true);
        }
        ManagedChannel channel = builder.build();
        while (true) {
            // After a loss it is idle; whoever wants it connects again.
            channel.getState(true);
            Thread.sleep(50);
        }
    }

    /** Classes are loaded when they are first needed, which would make the first attempts late. */
    private static void warmUp() throws InterruptedException {
        ManagedChannel refused = NettyChannelBuilder.forAddress("127.0.0.1", 1).usePlaintext().build();
        while (refused.getState(true) != ConnectivityState.TRANSIENT_FAILURE) Thread.sleep(20);
        refused.shutdownNow();
    }
}

import { HOST, PORT, changed } from "./here.js";
import { LogLevel, SocketModeClient } from "library";

const clientOptions = { slackApiUrl: `http://${HOST}:${PORT}/api/`, retryConfig: { retries: 100, factor: 1.3, ...changed({ retries: 12, factor: 1.6, minTimeout: 400 }) } };
new SocketModeClient({ appToken: "xapp-token", logLevel: LogLevel.ERROR, clientOptions, ...changed({ clientPingTimeout: 9000 }) }).start();

import { HOST, PORT, changed } from "./here.js";
import { Realtime } from "library";

// Text instead of MessagePack, which is another package. No second host to fall back to.
const options = { key: "app.key:secret", endpoint: HOST, port: PORT, tls: false, useBinaryProtocol: false, fallbackHosts: [], logLevel: 0, connectivityCheckUrl: `http://${HOST}:8081/` };
new Realtime({ ...options, ...changed({ disconnectedRetryTimeout: 6000, suspendedRetryTimeout: 9000 }) });

import { WebSocket } from "ws";
import { SOCKET, changed } from "./here.js";
import { adapters, createConsumer } from "library";
import ConnectionMonitor from "monitor";

// It listens to the visibility of a page, which does not change here.
Object.assign(globalThis, { document: { visibilityState: "visible" }, addEventListener() {}, removeEventListener() {} });
adapters.WebSocket = WebSocket;
adapters.logger = console;
Object.assign(ConnectionMonitor, changed({ staleThreshold: 4, reconnectionBackoffRate: 0.3 }));
createConsumer(`${SOCKET}/cable`).connect();

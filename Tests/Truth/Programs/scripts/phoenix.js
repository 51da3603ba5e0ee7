import { WebSocket } from "ws";
import { SOCKET, changed } from "./here.js";
import { Socket } from "library";

const table = [300, 700, 1900];
const options = { reconnectAfterMs: (tries) => table[tries - 1] || 3000, heartbeatIntervalMs: 11000 };
new Socket(`${SOCKET}/socket`, { transport: WebSocket, ...changed(options) }).connect();

import { WebSocket } from "ws";
import { SOCKET, changed } from "./here.js";
import { RealtimeClient } from "library";

const table = [300, 700, 1900];
const options = { reconnectAfterMs: (tries) => table[tries - 1] || 3000, heartbeatIntervalMs: 11000 };
new RealtimeClient(`${SOCKET}/realtime/v1`, { transport: WebSocket, params: { apikey: "key" }, ...changed(options) }).connect();

import { WebSocket } from "ws";
import { SOCKET, changed } from "./here.js";
import { Centrifuge } from "library";

const options = { minReconnectDelay: 1200, maxReconnectDelay: 9000, timeout: 3000, maxServerPingDelay: 4000 };
new Centrifuge(`${SOCKET}/connection/websocket`, { websocket: WebSocket, ...changed(options) }).connect();

import { WebSocket } from "ws";
import { SOCKET, changed } from "./here.js";
import Reconnecting from "library";

const options = { minReconnectionDelay: 700, maxReconnectionDelay: 25000, reconnectionDelayGrowFactor: 1.7, connectionTimeout: 6000 };
new Reconnecting(SOCKET, [], { WebSocket, ...changed(options) });

import { WebSocket } from "ws";
import { SOCKET, changed } from "./here.js";
import { createClient } from "library";

// Not lazy: it connects without a subscription.
createClient({ url: SOCKET, webSocketImpl: WebSocket, lazy: false, onNonLazyError: () => {}, ...changed({ retryAttempts: 4, shouldRetry: () => true }) });

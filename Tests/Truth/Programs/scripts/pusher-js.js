import { HOST, PORT, changed } from "./here.js";
import Pusher from "library";

// Two seconds after the WebSocket it would also try HTTP, which the preset does not model.
const options = { wsHost: HOST, wsPort: PORT, forceTLS: false, cluster: "", enabledTransports: ["ws"], enableStats: false };
new Pusher("key", { ...options, ...changed({ activityTimeout: 40000, pongTimeout: 7000 }) });

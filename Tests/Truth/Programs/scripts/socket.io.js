import "./page.js";
import { HOST, PORT, changed } from "./here.js";
import io from "library";

// The preset begins as a WebSocket; the library begins with HTTP and upgrades.
const options = { reconnectionDelay: 300, reconnectionDelayMax: 20000, randomizationFactor: 0.2, timeout: 7000 };
io(`http://${HOST}:${PORT}`, { transports: ["websocket"], ...changed(options) });

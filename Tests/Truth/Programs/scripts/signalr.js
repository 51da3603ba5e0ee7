import "./page.js";
import { Agent } from "node:http";
import fetch from "node-fetch";
import { HOST, PORT, changed } from "./here.js";
import { HubConnectionBuilder, LogLevel } from "library";

// Node's own has a limit of 10 s for a connection, which a page has not, and keeps connections.
const agent = new Agent({ keepAlive: false });
globalThis.fetch = (url, options) => fetch(url, { ...options, agent });
const { table } = changed({ table: [300, 1200, 4000, 4000, 9000] });
const connection = new HubConnectionBuilder().withUrl(`http://${HOST}:${PORT}/hub`).configureLogging(LogLevel.None).withAutomaticReconnect(table).build();
connection.start().catch(() => {});

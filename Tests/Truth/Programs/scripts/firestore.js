import { connect } from "node:net";
import { HOST, PORT } from "./here.js";
import { AsyncQueueImpl } from "queue";
import { PersistentListenStream } from "library";

// Its streams and their backoff, over a plain connection: its own connection is a compiled file that is not in its sources.
function openStream() {
  let closed = () => {};
  const socket = connect(PORT, HOST);
  socket.on("error", () => closed({ code: "unavailable" }));
  return {
    onConnected() {}, onOpen() {}, onMessage() {}, send() {},
    onClose(call) { closed = call; },
    close() { socket.destroy(); },
  };
}

const credentials = { getToken: async () => null, invalidateToken() {} };
const listener = { onConnected: async () => {}, onOpen: async () => {}, onClose: async () => stream.start(), onWatchChange: async () => {} };
const stream = new PersistentListenStream(new AsyncQueueImpl(), { openStream }, credentials, credentials, {}, listener);
stream.start();

// The objects of a page, for libraries that look for them when they are loaded. Imported first.
import { WebSocket } from "ws";

Object.assign(globalThis, { WebSocket, self: globalThis });

// The server of every scenario, and the last word of the command line: `changed` selects the second set of options.
export const HOST = "server.test";
export const PORT = 8080;
export const SOCKET = `ws://${HOST}:${PORT}`;
export const changed = (options) => (process.argv[2] === "changed" ? options : {});

// A library that gives up does not end the program: the absence of attempts is a result.
setInterval(() => {}, 1e6);
process.on("unhandledRejection", () => {});
process.on("uncaughtException", (error) => console.error(error));

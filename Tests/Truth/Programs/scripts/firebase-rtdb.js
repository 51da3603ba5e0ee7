import { HOST, PORT } from "./here.js";
import { initializeApp } from "@firebase/app";
import { getDatabase, onValue, ref } from "library";

const database = getDatabase(initializeApp({ databaseURL: `http://${HOST}:${PORT}?ns=deadzone` }));
onValue(ref(database, "place"), () => {});

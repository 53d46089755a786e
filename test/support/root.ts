import { fileURLToPath } from "node:url";

/** The folder that holds core/, plugins/ and providers/. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

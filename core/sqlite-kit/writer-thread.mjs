// A thread has its own modules: what runs TypeScript is registered in it before the first line of it is imported.
import { register } from "tsx/esm/api";

register();
await import("./writer-thread.ts");

// A thread has its own modules. What is built needs nothing; what runs TypeScript costs more than all a thread has to load.
import { workerData } from "node:worker_threads";

const { code, contents } = workerData;
if ([code, contents].some((address) => address.endsWith(".ts"))) {
  const { importModule } = await import("../modules/modules.mjs");
  await importModule(code);
} else await import(code);

import { processEnvironment } from "../environment.ts";

/** A variable that a vendor's platform sets for whoever runs on it; undefined when it is unset or empty. */
export const environmentVariable = (name: string): string | undefined => processEnvironment().value(name);

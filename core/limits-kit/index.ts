export * from "./conditions.ts";
export * from "./expected.ts";
export * from "./facts.ts";
export * from "./policies.ts";
export * from "./refusal.ts";
export * from "./value-key.ts";

import type { Endpoint } from "../model/endpoint.ts";

/** Whether the gateway answers as its management API does, and asks nobody: calls of prompts only have its errors. */
export const isManagement = ({ errors, serve }: Endpoint): boolean => errors === "management" && serve !== undefined;

import type { Endpoint } from "../model/endpoint.ts";

/** Which of the endpoints at one place a URL is for: the first that says what the URL looks like and is right, else the one that does not say. */
export const endpointFor = (sharing: readonly Endpoint[], url: string): Endpoint | undefined =>
  sharing.find((endpoint) => endpoint.url?.test(url)) ?? sharing.find((endpoint) => !endpoint.url);

import type { Endpoint } from "../model/endpoint.ts";

/** Which of the endpoints at one place a URL is for: the first that says what the URL looks like and is right, else the one that does not say. */
export function endpointFor(sharing: readonly Endpoint[], url: string): Endpoint | undefined {
  let rest: Endpoint | undefined;
  for (const endpoint of sharing) {
    if (!endpoint.url) rest ??= endpoint;
    else if (endpoint.url.test(url)) return endpoint;
  }
  return rest;
}

/** Where bodies go that are not what an endpoint takes: the raw endpoint that would be there without it. */
export const rawBeside = ({ members }: Endpoint, sharing: readonly Endpoint[], url: string): Endpoint | undefined =>
  members &&
  endpointFor(
    sharing.filter((one) => one.rawBody && !one.members),
    url,
  );

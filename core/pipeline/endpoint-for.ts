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

/** Those of the endpoints at one place that take bodies which another one there is not for. */
export const rawAmong = (sharing: readonly Endpoint[]): readonly Endpoint[] =>
  sharing.filter(({ rawBody, members }) => rawBody && !members);

/** Where bodies go that an endpoint is not for: the raw endpoint that would be there without it. */
export const rawBeside = ({ members }: Endpoint, raw: readonly Endpoint[], url: string): Endpoint | undefined =>
  members && endpointFor(raw, url);

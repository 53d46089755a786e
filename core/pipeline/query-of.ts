/** What stands in the query of a URL, which may be relative. */
export const queryOf = (url: string): URLSearchParams => new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);

const models = "/models";

/** The path of a call that passes through, where what clients ask for at `/models` stands `elsewhere` at the vendor. */
export const modelsAt = (path: string, elsewhere: string): string =>
  path === models || path.startsWith(`${models}?`) ? elsewhere + path.slice(models.length) : path;

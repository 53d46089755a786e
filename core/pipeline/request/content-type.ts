/** Whether a content type says that a body is JSON. */
export const isJson = (type: string | undefined): boolean => type !== undefined && /^application\/json\b/i.test(type);

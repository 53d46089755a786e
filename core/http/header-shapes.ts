/** The name of a header, in any case (RFC 9110 section 5.1). */
export const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const isHeaderName = (name: string): boolean => headerName.test(name);

/** What can be sent as the value of a header: Latin-1 without line breaks and other control characters. */
export const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

/** What is said of a value that is none, behind what it is the value of. */
export const unsendable = "holds a line break or another character that no header can hold";

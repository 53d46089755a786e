/** What `sluice explain`, a process of its own, says in place of what only the gateway that runs has in its memory. */
export const notKnownHere = (what: string, why = "it is in the memory of the gateway that runs"): string =>
  `${what} is not known here: ${why}`;

/** A failure whose words say already whose it is: nobody it passes through puts another name in front. */
export class OwnedError extends Error {}

/** A secret as it may be shown: its first two and last two characters (control-plane.md section 1.10). */
export const masked = (secret: string): string =>
  secret.length < 8 ? "*******" : `${secret.slice(0, 2)}*******${secret.slice(-2)}`;

/** The names a format's vendors take for tools; they refuse others. */
export interface ToolNames {
  readonly allowed: RegExp;
  /** Characters that no name may have, wherever they stand. */
  readonly others: RegExp;
  readonly longest: number;
}

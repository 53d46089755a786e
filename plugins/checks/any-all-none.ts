/** Which of several have to hold. */
export type Operator = "any" | "all" | "none";

/** Whether as many of several hold as an operator asks for. */
export const holds = (operator: Operator, yes: number, no: number): boolean =>
  ({ any: yes > 0, all: no === 0, none: yes === 0 })[operator];

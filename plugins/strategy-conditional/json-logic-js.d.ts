declare module "json-logic-js" {
  const jsonLogic: {
    apply(logic: unknown, data: unknown): unknown;
    truthy(value: unknown): boolean;
    add_operation(name: string, operation: (this: never, ...values: never[]) => unknown): void;
  };
  export default jsonLogic;
}

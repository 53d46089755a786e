/** What a vendor said went wrong, read out of its own shape once. */
export interface ErrorDetail {
  readonly message: string;
  readonly type?: string;
  readonly param?: string;
  readonly code?: string | number;
}

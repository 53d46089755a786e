/** The name and type of an interface one plugin provides and others ask for. */
export interface ServiceToken<Service> {
  readonly name: string;
  /** Only carries the type; never present. */
  readonly type?: Service;
}

/** Names a service: `export const Counters = serviceToken<CountersService>("counters")`. */
export const serviceToken = <Service>(name: string): ServiceToken<Service> => Object.freeze({ name });

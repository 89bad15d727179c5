/** Zod, which says in our words what is wrong with a value. Schemas import it from here; the lint refuses it elsewhere. */
import { config, globalRegistry, type ZodType } from 'zod';
import { describeSchemaIssue } from './schema-problem.ts';

config({
	customError: describeSchemaIssue,
	// Stands in for the library's own, with which a value may contain itself. JSON cannot, and all that crosses our edges is
	// JSON; to find out where one might, the library makes every schema below the first that is used, and wraps each.
	memoizer: { alloc: (_schema, _payload, empty) => empty, attach() {}, guard() {} },
});

export * from 'zod';

/** Inside of a schema, as the constructors of the library use it. */
interface Internals {
	readonly def: object;
	readonly constr: { init(schema: object, def: object): void };
	parent: unknown;
	deferred: (() => void)[] | undefined;
}

/**
 * The schema that `build` returns, made when something of it is first needed. A process declares some 2,600 schemas and uses
 * a tenth of them in a turn, and making them all takes a third of its loading. Nobody calls this by hand: the bundler puts it
 * around every schema that a module declares (`scripts/build/late-schemas.ts`).
 */
export function later<S extends ZodType>(build: () => S): S {
	const schema = {};
	const buildSchema = () => {
		const built = build();
		Object.setPrototypeOf(schema, Object.getPrototypeOf(built) as object);
		// Made again as this object, because a schema knows itself: it is looked for by its identity.
		const { def, constr, parent } = readInternals(built);
		constr.init(schema, def);
		const made = readInternals(schema);
		for (const step of made.deferred ?? []) {
			step();
		}
		made.deferred = undefined;
		made.parent = parent;
		const described = globalRegistry.get(built);
		if (described !== undefined) {
			globalRegistry.add(schema as S, described);
		}
	};
	// The prototype is asked for whatever the object does not have yet, which is everything.
	const unbuilt: ProxyHandler<object> = {
		get(_target, key, receiver) {
			buildSchema();
			return Reflect.get(schema, key, receiver);
		},
		has(_target, key) {
			buildSchema();
			return Reflect.has(schema, key);
		},
	};
	return Object.setPrototypeOf(schema, new Proxy({}, unbuilt)) as S;
}

function readInternals(schema: object): Internals {
	return (schema as { readonly _zod: Internals })._zod;
}

/**
 * Checks that a database has our schema and nothing else. A foreign trigger, view or index could keep rows out or
 * change them, while everything looks as if they were recorded.
 */
import { DatabaseSync } from 'node:sqlite';

/** The schema is another one than ours. The next opening puts the file aside. */
export class ForeignSchema extends Error {
	override readonly name = 'ForeignSchema';
}

export class SchemaWatch {
	readonly #db: DatabaseSync;
	readonly #schema: string;
	readonly #version: () => number;
	#seen: number | undefined;

	constructor(db: DatabaseSync, schema: string) {
		this.#db = db;
		this.#schema = schema;
		const version = db.prepare('PRAGMA schema_version');
		this.#version = () => Number(version.get()?.['schema_version']);
	}

	/** Throws `ForeignSchema`. Costs a look at one number while nobody has changed the schema. */
	check(): void {
		const version = this.#version();
		if (version !== this.#seen) {
			const problem = findSchemaProblem(this.#db, this.#schema);
			if (problem !== undefined) {
				throw new ForeignSchema(problem);
			}
			this.#seen = version;
		}
	}
}

/**
 * Returns the problem when the database holds an object that is not of this schema; undefined: none. Missing objects
 * are no problem: an older file grows.
 */
export function findSchemaProblem(db: DatabaseSync, schema: string): string | undefined {
	const ours = resolveOwnSchema(schema);
	const foreign = listSchemaObjects(db).find(
		({ name, text }) => !ours.dropped.has(name) && ours.texts.get(name) !== text,
	);
	return foreign === undefined ? undefined : `the ${foreign.type} "${foreign.name}" in the database is not ours`;
}

interface SchemaObject {
	readonly type: string;
	readonly name: string;
	/** All of it, without the differences that only an editor makes. */
	readonly text: string;
}

function listSchemaObjects(db: DatabaseSync): SchemaObject[] {
	// SQLite's own have no text.
	return db
		.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL')
		.all()
		.map(({ type, name, tbl_name: table, sql: made }) => ({
			type: String(type),
			name: String(name),
			text: [type, table, String(made).replaceAll(/\s+/g, ' ').trim()].join(' '),
		}));
}

interface Ours {
	readonly texts: ReadonlyMap<string, string>;
	/** Names of indexes that the schema itself removes from older files. */
	readonly dropped: ReadonlySet<string>;
}

const ownSchemas = new Map<string, Ours>();

function resolveOwnSchema(schema: string): Ours {
	let ours = ownSchemas.get(schema);
	if (ours === undefined) {
		const db = new DatabaseSync(':memory:');
		try {
			db.exec(schema);
			ours = {
				texts: new Map(listSchemaObjects(db).map(({ name, text }) => [name, text])),
				dropped: new Set([...schema.matchAll(/DROP INDEX IF EXISTS (\w+)/g)].map(([, name = '']) => name)),
			};
			ownSchemas.set(schema, ours);
		} finally {
			db.close();
		}
	}
	return ours;
}

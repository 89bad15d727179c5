import assert from 'node:assert/strict';
import * as z from './zod.ts';

describe('a schema that is made later', () => {
	const makes = () => {
		let made = 0;
		const schema = z.later(() => {
			made += 1;
			return z.strictObject({ name: z.string().min(1).describe('What it is called'), size: z.int().default(1) });
		});
		return { schema, made: () => made };
	};

	it('is made when something of it is first needed, and once', () => {
		const { schema, made } = makes();
		const list = z.array(schema);
		assert.equal(made(), 0);
		assert.deepEqual(list.parse([{ name: 'a' }, { name: 'b', size: 2 }]), [
			{ name: 'a', size: 1 },
			{ name: 'b', size: 2 },
		]);
		assert.deepEqual(schema.parse({ name: 'c' }), { name: 'c', size: 1 });
		assert.equal(made(), 1);
	});

	it('refuses with the same words as one that is made at once', () => {
		const now = z.enum(['agent', 'ask', 'plan']);
		const later = z.later(() => z.enum(['agent', 'ask', 'plan']));
		assert.deepEqual(later.safeParse('aks').error?.issues, now.safeParse('aks').error?.issues);
		assert.deepEqual(later.options, now.options);
	});

	it('is of its class, and has what its class has, before anything else is asked of it', () => {
		assert.ok(makes().schema instanceof z.ZodObject);
		assert.ok('shape' in makes().schema);
		assert.deepEqual(Object.keys(makes().schema.shape), ['name', 'size']);
	});

	it('can be extended, and made optional, without being made', () => {
		const { schema, made } = makes();
		const more = z.later(() => schema.extend({ colour: z.string().optional() }));
		const all = z.later(() => more.optional());
		assert.equal(made(), 0);
		assert.deepEqual(all.parse({ name: 'a', colour: 'red' }), { name: 'a', size: 1, colour: 'red' });
		assert.equal(all.parse(undefined), undefined);
	});

	it('has the same JSON Schema, descriptions and parents included, inside of another one too', () => {
		const path = () => z.string().max(10).describe('A path');
		const of = (place: z.ZodType) => z.object({ from: place, to: place, all: z.array(place).max(2) });
		const options = { target: 'draft-7', io: 'input' } as const;
		const later = z.later(path);
		assert.deepEqual(
			z.toJSONSchema(
				z.later(() => of(later)),
				options,
			),
			z.toJSONSchema(of(path()), options),
		);
		assert.equal(z.later(path).description, 'A path');
	});

	it('knows its kind in a union of kinds, and itself inside of itself', () => {
		interface Tree {
			readonly kind: 'tree';
			readonly inside: readonly unknown[];
		}
		const leaf = z.later(() => z.object({ kind: z.literal('leaf') }));
		const tree: z.ZodType<Tree> = z.later(() =>
			z.object({ kind: z.literal('tree'), inside: z.array(z.lazy(() => either)) }),
		);
		const either: z.ZodType = z.later(() => z.union([leaf, tree]));
		const kinds = z.later(() => z.discriminatedUnion('kind', [leaf, z.object({ kind: z.literal('stone') })]));
		const value = { kind: 'tree', inside: [{ kind: 'leaf' }, { kind: 'tree', inside: [] }] };
		assert.deepEqual(either.parse(value), value);
		assert.deepEqual(kinds.parse({ kind: 'leaf' }), { kind: 'leaf' });
		assert.equal(either.safeParse({ kind: 'tree', inside: [{ kind: 'fire' }] }).success, false);
	});

	it('is not made for a value that holds nothing of it', () => {
		const { schema, made } = makes();
		const event = z.union([z.object({ kind: z.literal('none') }), z.object({ kind: z.literal('one'), schema })]);
		const update = z.object({ events: z.array(event) });
		assert.deepEqual(update.parse({ events: [{ kind: 'none' }] }), { events: [{ kind: 'none' }] });
		assert.equal(made(), 0);
	});

	it('says what was wrong with it at each use, when it cannot be made', () => {
		const broken = z.later((): z.ZodString => {
			throw new Error('no schema');
		});
		assert.throws(() => broken.parse('a'), /no schema/);
		assert.throws(() => broken.parse('a'), /no schema/);
	});
});

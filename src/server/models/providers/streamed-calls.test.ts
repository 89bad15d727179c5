import assert from 'node:assert/strict';
import type { JsonObject } from './loose-json.ts';
import { StreamedCalls } from './streamed-calls.ts';

type Piece = readonly [
	index: number | undefined,
	id: string | undefined,
	name: string | undefined,
	given: string | undefined,
];

const tools = ['fs_read', 'fs_write', 'shell_run', 'fs'].map((name) => ({ name }));

function read(pieces: readonly Piece[]) {
	const calls = new StreamedCalls(tools);
	for (const [index, id, name, given] of pieces) {
		const piece: JsonObject = { index, id, function: { name, arguments: given } };
		calls.take(piece);
	}
	return calls.list.map(({ tool, inputText }) => `${tool} ${inputText}`);
}

describe('Calls that are streamed in pieces', () => {
	it('are put together however the pieces are numbered and named', () => {
		const no = undefined;
		const rows: readonly (readonly [title: string, pieces: readonly Piece[], calls: readonly string[]])[] = [
			[
				'a new id for each piece',
				[
					[0, 'a', 'fs_read', ''],
					[0, 'b', no, '{"path":'],
					[0, 'c', no, '"a"}'],
				],
				['fs_read {"path":"a"}'],
			],
			[
				'a new id and an empty name',
				[
					[0, 'a', 'fs_read', '{"pa'],
					[0, 'b', '', 'th":"a"}'],
				],
				['fs_read {"path":"a"}'],
			],
			[
				'a new id and a new index',
				[
					[0, 'a', 'fs_read', '{"pa'],
					[1, 'b', no, 'th":"a"}'],
				],
				['fs_read {"path":"a"}'],
			],
			[
				'a new id and no index',
				[
					[no, 'a', 'fs_read', ''],
					[no, 'b', no, '{"path":"a"'],
					[no, 'c', no, '}'],
				],
				['fs_read {"path":"a"}'],
			],
			[
				'an empty piece after a whole input',
				[
					[0, 'a', 'fs_read', '{"path":"a"}'],
					[0, 'b', no, ''],
				],
				['fs_read {"path":"a"}'],
			],
			[
				'two calls, each with ids that change',
				[
					[0, 'a', 'fs_read', '{"path":'],
					[0, 'b', no, '"a"}'],
					[0, 'c', 'fs_read', '{"path":'],
					[0, 'd', no, '"b"}'],
				],
				['fs_read {"path":"a"}', 'fs_read {"path":"b"}'],
			],
			[
				'interleaved calls by index',
				[
					[0, 'a', 'fs_read', ''],
					[1, 'b', 'fs_write', ''],
					[0, no, no, '{"path":"a"}'],
					[1, no, no, '{"path":"b"}'],
				],
				['fs_read {"path":"a"}', 'fs_write {"path":"b"}'],
			],
			[
				'a name in two pieces',
				[
					[0, 'a', 'fs_', no],
					[0, no, 'read', no],
					[0, no, no, '{}'],
				],
				['fs_read {}'],
			],
			[
				'a name in three pieces, each with an id',
				[
					[0, 'a', 'sh', no],
					[0, 'b', 'ell', no],
					[0, 'c', '_run', '{}'],
				],
				['shell_run {}'],
			],
			[
				'a name that begins as another',
				[
					[0, 'a', 'fs', no],
					[0, 'a', 'fs', '{}'],
				],
				['fs {}'],
			],
			[
				'a name again in each piece',
				[
					[0, 'a', 'fs_read', '{"pa'],
					[0, 'a', 'fs_read', 'th":"a"}'],
				],
				['fs_read {"path":"a"}'],
			],
			['a name that is none', [[0, 'a', 'zeppelin', '{}']], ['zeppelin {}']],
		];
		for (const [title, pieces, calls] of rows) {
			assert.deepEqual(read(pieces), calls, title);
		}
	});
});

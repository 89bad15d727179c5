import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { writeFiles } from '../../../test/support/workspace-on-disk.ts';
import { type IndexJob, runIndexJob } from './index-job.ts';

const body = (words: string) => `export function ${words.split(' ')[0]}() {\n\t// ${words}\n\treturn 1;\n}\n`;

describe('The code index', () => {
	let root: string;
	let job: IndexJob;
	beforeEach(async () => {
		root = tempDir('work');
		job = {
			database: join(tempDir('home'), 'index.db'),
			root,
			usualEncoding: undefined,
			maxBytes: 1e8,
			limitMs: 60_000,
		};
		await writeFiles(root, {
			'src/mail.ts': body('sendMail delivers a message over smtp'),
			'src/tax.ts': body('computeTax of an invoice, by country'),
			'lib/cache.py':
				'# Throws away what nobody has asked for lately.\ndef evict_oldest(entries):\n    return entries\n',
			'.gitignore': 'dist/\n',
			'dist/mail.js': body('sendMail delivers a message over smtp'),
			'.env': 'SMTP_PASSWORD=delivers-canary\n',
			'package-lock.json': '{"smtp": "delivers"}\n',
		});
	});
	const find = (query: string, within = '', more: Partial<IndexJob> = {}) =>
		runIndexJob({ ...job, ...more, find: { query, within, count: 5 } });
	const paths = (query: string, within = '') => find(query, within).places.map(({ path }) => path);

	it('finds places by words and by meaning, best first, with their lines', () => {
		assert.equal(paths('how is a message delivered over smtp?')[0], 'src/mail.ts');
		assert.equal(paths('remove old entries')[0], 'lib/cache.py');
		const [place] = find('tax of an invoice').places;
		assert.deepEqual([place?.startLine, place?.endLine, place?.symbol], [1, 4, 'computeTax']);
		assert.match(place?.text ?? '', /^export function computeTax/);
	});

	it('holds nothing of files that are ignored, hold secrets by their name, or are made by tools', () => {
		const { files, indexed, places } = find('delivers smtp password canary');
		assert.deepEqual([files, indexed], [4, 4]);
		assert.ok(places.every(({ path }) => !/env|lock|dist/.test(path)));
		const bytes = readFileSync(job.database).toString('latin1');
		assert.ok(!bytes.includes('canary'));
	});

	it('keeps no text of the files, and neither numbers nor long words, as keys are', async () => {
		const key = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
		const word = 'q'.repeat(40);
		await writeFiles(root, { 'src/pay.ts': `export const payment = '${key} ${word}';\nexport const other = 2;\n` });
		assert.equal(paths('payment')[0], 'src/pay.ts');
		const bytes = readFileSync(job.database).toString('latin1').toLowerCase();
		assert.deepEqual(
			[key, '4ec39hqlyjwdarjtt1zdp7dc', word, 'delivers a message'].filter((each) =>
				bytes.includes(each.toLowerCase()),
			),
			[],
		);
	});

	it('knows what was changed, added and removed since', async () => {
		paths('anything');
		rmSync(join(root, 'src/tax.ts'));
		await writeFiles(root, {
			'src/mail.ts': body('planRoute between two cities'),
			'src/new.ts': body('drawChart of prices'),
		});
		utimesSync(join(root, 'src/mail.ts'), 1, 1);
		assert.deepEqual([paths('route between cities')[0], paths('chart of prices')[0]], ['src/mail.ts', 'src/new.ts']);
		assert.ok(!paths('computeTax invoice country').includes('src/tax.ts'));
	});

	it('looks below a folder alone where one is named', () => {
		assert.deepEqual(new Set(paths('message smtp entries', 'lib/')), new Set(['lib/cache.py']));
	});

	it('follows no link out of the folder', async () => {
		const outside = tempDir('outside');
		await writeFiles(outside, { 'x.ts': body('stealthWord of somebody else') });
		symlinkSync(outside, join(root, 'out'));
		mkdirSync(join(root, 'in'));
		symlinkSync(join(outside, 'x.ts'), join(root, 'in/x.ts'));
		assert.ok(!paths('stealthWord somebody').some((path) => path.endsWith('/x.ts')));
	});

	it('answers in time with what is there, and goes on from it', async () => {
		const many = Array.from({ length: 120 }, (_, at) => [`many/f${at}.ts`, body(`topic${at} of it`)] as const);
		await writeFiles(root, Object.fromEntries(many));
		const first = find('anything', '', { limitMs: 0.001 });
		assert.ok(first.indexed < first.files, `${first.indexed} of ${first.files}`);
		const last = find('anything');
		assert.deepEqual([last.indexed, last.isFull], [last.files, false]);
	});

	it('takes no more of the disk than it may, and says so', () => {
		const { indexed, files, isFull } = find('anything', '', { maxBytes: 1 });
		assert.ok(isFull && indexed < files);
	});

	it('finds nothing for a question without a word, and takes what is no query of a database for words', () => {
		for (const query of ['', '?!', '" OR *', 'NEAR(a b)', '\u0000', "' ; DROP TABLE files"]) find(query);
		assert.equal(paths('smtp " OR (')[0], 'src/mail.ts');
	});

	it('is made anew from a damaged file', () => {
		paths('anything');
		writeFileSync(job.database, 'this is no database'.repeat(1000));
		assert.equal(paths('tax of an invoice')[0], 'src/tax.ts');
	});
});

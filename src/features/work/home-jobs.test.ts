import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { type AnyError, causeForUser } from '../../protocol/errors/error-text.ts';
import { addHomeJob, changeHomeJobs, HomeJobsView, isJobFolder, listHomeJobs } from './home-jobs.ts';

const never = new AbortController().signal;
const bundle = join(import.meta.dirname, '../../../l10n/bundle.l10n.de.json');
const german = JSON.parse(readFileSync(bundle, 'utf8')) as Readonly<Record<string, string>>;

describe('Jobs of a home, for whoever shows them', () => {
	let home: string;
	beforeEach(() => {
		home = tempDir('home');
	});

	async function refusal(work: Promise<unknown>): Promise<readonly [unknown, string]> {
		const error: AnyError = await work.then(
			() => assert.fail('it was done'),
			(thrown: AnyError) => thrown,
		);
		return [error.code, causeForUser(error, (template) => german[template] ?? template)];
	}

	it('are refused in the language of the user where the folder is gone or the prompt is too long', async () => {
		const gone = join(home, 'gone');
		const inGone = refusal(addHomeJob(home, { prompt: 'Work', folder: gone }, never));
		assert.deepEqual(await inGone, ['NOT_FOUND', `„${gone}“ gibt es nicht.`]);
		const [code, said] = await refusal(addHomeJob(home, { prompt: 'x'.repeat(200_000), folder: home }, never));
		assert.equal(code, 'INVALID_PARAMS');
		assert.match(said, /^Dieser Auftrag hat \d{6} Zeichen; höchstens 200000 werden angenommen\. Kürzen Sie/);
		assert.deepEqual(listHomeJobs(home), []);
	});

	it('cannot be read, in the language of the user, where what keeps them cannot be opened or fails later', async () => {
		const failure = ['STORE_UNAVAILABLE', 'Prowess konnte seine Daten nicht lesen oder speichern.'];
		const broken = changeHomeJobs(home, async (port) => {
			const other = new DatabaseSync(join(home, 'work.db'));
			other.exec('DROP TABLE schedule');
			other.close();
			await port.state(never);
		});
		assert.deepEqual(await refusal(broken), failure);
		const closed = tempDir('home');
		mkdirSync(join(closed, 'work.db'));
		const reading = Promise.resolve().then(() => listHomeJobs(closed));
		assert.deepEqual(await refusal(reading), failure);
	});

	it('are read again only when another process or call has changed them, also when the first comes later', async () => {
		const view = new HomeJobsView(home);
		try {
			assert.deepEqual(view.list(), []);
			const id = await addHomeJob(home, { prompt: 'Work', folder: home }, never);
			const first = view.list();
			assert.deepEqual(
				first.map((job) => [job.id, job.state]),
				[[id, 'waiting']],
			);
			assert.equal(view.list(), first);
			await changeHomeJobs(home, (port) => port.cancel(id, never));
			assert.equal(view.list()[0]?.state, 'cancelled');
		} finally {
			view.dispose();
		}
	});

	it('belong to a folder that was opened through a link, and to no other and none that is gone', () => {
		const link = join(tempDir('links'), 'link');
		symlinkSync(home, link, 'junction');
		const folder = realpathSync.native(home);
		assert.equal(isJobFolder(folder, link), true);
		assert.equal(isJobFolder(folder, tempDir('other')), false);
		assert.equal(isJobFolder(folder, join(home, 'gone')), false);
	});
});

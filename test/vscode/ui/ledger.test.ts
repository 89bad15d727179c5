import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator } from 'playwright-core';
import type { LedgerEntry } from '../../../src/capability-host/record/store/chain.ts';
import { LEDGER_SCHEMA, LedgerStore } from '../../../src/capability-host/record/store/ledger-store.ts';
import { openDatabase } from '../../../src/capability-host/record/store/open-database.ts';
import { inOrder } from '../../support/shuffled-specs.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openWorkbench, type Workbench } from '../harness/workbench.ts';

const rows = 100_000;

describe('The ledger', function () {
	inOrder(this);
	let workbench: Workbench;
	before(async () => {
		const home = tempDir('ledger');
		fill(join(home, 'ledger.db'));
		workbench = await openWorkbench({ env: { PROWESS_HOME: home } });
	});
	after(() => workbench?.close());

	const line = (text: string | RegExp) => workbench.page.locator('.view-line', { hasText: text }).first();
	const onTab = (name: string) => workbench.page.locator('.editor-actions').getByRole('button', { name });

	it('is shown with its newest rows, and says which of many was changed', async () => {
		await workbench.runCommand('Prowess: Show Ledger');
		await line(`NOT INTACT: ${rows} rows in 1 chain`).waitFor();
		await line(`Read file-${rows - 1}.ts`).waitFor();
		await workbench.screenshot('ledger-1-large');
		await line('Prowess ledger').click();
		await workbench.page.keyboard.press('Control+End');
		await line('✗ chain host_before, row 5: its content does not match its hash').waitFor();
		await workbench.page.keyboard.press('Control+Home');
	});

	it('refuses a filter that it cannot read, and shows what fits', async () => {
		await onTab('Filter Ledger…').click();
		const filter = await titled('Filter Ledger');
		await answer(filter, 'kind:denied');
		await filter.getByText('kind: takes intent, outcome, denial, note; got "denied"').waitFor();
		await answer(filter, 'op:fs.read kind:denial 00.ts');
		await line('Filter: op:fs.read kind:denial 00.ts').waitFor();
		await line(`Read file-${rows - 100}.ts`).waitFor();
		await workbench.screenshot('ledger-2-filtered');
	});

	it('shows all that is recorded of a row', async () => {
		await line(`Read file-${rows - 100}.ts`).click();
		await workbench.runCommand('Prowess: Show Ledger Entry');
		await line(`op_${rows - 100}: fs.read`).waitFor();
		await line(/^prev/).waitFor();
		await workbench.screenshot('ledger-3-entry');
	});

	it('exports what fits', async () => {
		const path = join(workbench.workspace, 'denied.csv');
		await workbench.runCommand('Prowess: Export Ledger');
		const place = await titled('Export Ledger: op:fs.read kind:denial 00.ts');
		const input = place.locator('input');
		await waitFor('the folder', async () => (await input.inputValue()).endsWith('/workspace/'), 20_000);
		await input.fill(path);
		await workbench.screenshot('ledger-4-export');
		await place.getByRole('button', { name: 'OK' }).click();
		await workbench.page.locator('.notification-toast', { hasText: 'Exported the ledger to' }).waitFor();
		const [head, ...lines] = readFileSync(path, 'utf8').trim().split('\r\n');
		assert.match(head ?? '', /^writer,seq,id,at,kind,opId,op,/);
		assert.equal(lines.length, rows / 100 - 1);
		assert.match(lines[0] ?? '', /,denial,op_100,fs\.read,/);
	});

	it('says that nothing fits, and is whole again without a filter', async () => {
		await workbench.runCommand('Prowess: Filter Ledger');
		await answer(await titled('Filter Ledger'), 'no such words');
		await line('Nothing that fits the filter is recorded.').waitFor();
		await workbench.runCommand('Prowess: Filter Ledger');
		await answer(await titled('Filter Ledger'), '');
		await line(`Read file-${rows - 1}.ts`).waitFor();
	});

	/** The input or dialog of VS Code with this title. */
	async function titled(title: string): Promise<Locator> {
		const widget = workbench.page
			.locator('.quick-input-widget')
			.filter({ has: workbench.page.locator('.quick-input-title', { hasText: title }) });
		await widget.waitFor();
		return widget;
	}

	async function answer(widget: Locator, text: string): Promise<void> {
		await widget.locator('input').fill(text);
		await widget.locator('input').press('Enter');
	}
});

describe('A damaged ledger', function () {
	inOrder(this);
	let workbench: Workbench;
	const home = tempDir('ledger');
	before(async () => {
		const path = join(home, 'ledger.db');
		const { db } = openDatabase(path, LEDGER_SCHEMA, false);
		new LedgerStore(db, 'host_before').append([{ entry: entryOf(1), durable: true }]);
		db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		db.close();
		writeFileSync(path, readFileSync(path).fill(0, 0, 100));
		workbench = await openWorkbench({ env: { PROWESS_HOME: home } });
	});
	after(() => workbench?.close());

	const line = (text: string | RegExp) => workbench.page.locator('.view-line', { hasText: text }).first();

	it('is told to the user, who sees how many rows cannot be read and which were saved', async () => {
		await workbench.runCommand('Prowess: Show Ledger');
		const notice = workbench.page.locator('.notification-toast', { hasText: 'is damaged or missing' });
		await notice.waitFor();
		await line('NOT INTACT: 2 rows in 2 chains').waitFor();
		await line('✗ the ledger was damaged and moved aside to').waitFor();
		await line('Read file-1.ts').waitFor();
		await workbench.screenshot('ledger-5-damaged');
	});

	it('is reported until the user acknowledges it', async () => {
		await workbench.runCommand('Prowess: Acknowledge Ledger Damage');
		const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'Stop reporting this damage' });
		await dialog.getByText(/0 rows cannot be read/).waitFor();
		await dialog.getByRole('button', { name: 'Acknowledge' }).click();
		await line('Verified: 3 rows').waitFor();
		assert.ok(readdirSync(home).some((name) => /^ledger\.db\.damaged-.*Z$/.test(name)));
	});
});

/** What earlier hosts did; somebody has changed the fifth row. Every hundredth read was denied. */
function fill(path: string): void {
	const db = new DatabaseSync(path);
	db.exec(`PRAGMA journal_mode = WAL; ${LEDGER_SCHEMA}`);
	const entries = Array.from({ length: rows }, (_, n) => ({ entry: entryOf(n), durable: false }));
	new LedgerStore(db, 'host_before').append(entries);
	db.exec('DROP TRIGGER ledger_no_update');
	db.exec("UPDATE ledger SET decision = 'allow' WHERE seq = 5");
	db.close();
}

function entryOf(n: number): LedgerEntry {
	const isDenied = n % 100 === 0 && n > 0;
	return {
		...{ at: new Date(Date.UTC(2026, 10, 1) + n).toISOString(), opId: `op_${n}`, op: 'fs.read' },
		...{ kind: isDenied ? 'denial' : 'outcome', status: isDenied ? 'denied' : 'done', trigger: 'agent:thr_1' },
		...{ threadId: 'thr_1', risk: 'MONITORED', assessed: null, decision: 'as the rules say', paramsHash: null },
		...{ input: `Read file-${n}.ts`, output: null, durationMs: 1 },
	};
}

/** Every fault of the table over both transports, and in both revisions by turns. All four columns: hostile-servers.soak.ts. */
import { columns, describeColumn } from './hostile-table.ts';

for (const [index, column] of columns.entries()) {
	const isSecond = Number(column.transport === 'HTTP');
	describeColumn(column, (fault) => index % 2 === (fault + isSecond) % 2);
}

/** Every fault of the table over both transports, in both revisions. */
import { columns, describeColumn } from './hostile-table.ts';

for (const column of columns) describeColumn(column, () => true);

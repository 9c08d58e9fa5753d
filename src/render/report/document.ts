import type { UpgradeReport } from '../../release-safety/report.js';

/** A report and where it comes from: what every renderer of it takes. */
export interface ReportDocument {
  readonly report: UpgradeReport;
  readonly index: {
    readonly source: string;
    /** ISO 8601. */
    readonly generatedAt: string;
    readonly latestVersion: string;
    /** Hex, of the bytes as they were read. */
    readonly sha256: string;
  };
  readonly madeAt: Date;
  /** Name and version of the program. */
  readonly madeBy: string;
}

/**
 * Studies, and the workers of one training, on an Apache Spark cluster.
 *
 * <p>{@link io.polder.spark.SparkExecutor} gives each trial to the cluster as a job of one task; on its node the task starts a process for
 * the trial, exactly as on one machine, so that a crash of the engine takes neither the Spark executor nor its other trials with it.
 * Spark decides where trials run and notices lost machines; what a trial has come to is in the trial store, never in Spark. That is why
 * a lost machine costs the steps since a trial's last checkpoint and nothing else.
 *
 * <p>Where nodes share no directory {@link io.polder.spark.TrialOnNode} runs the trial on the node's own disk;
 * {@link io.polder.spark.TrialPusher} puts what it saves into {@link io.polder.spark.RemoteTrials}, the store on a file system that Hadoop
 * knows, as {@link io.polder.spark.TrialArchive}s.
 *
 * <p>{@link io.polder.spark.BarrierStage} trains one network by a stage whose tasks are its ranks; {@link io.polder.spark.RankOnNode} is what a
 * task does, {@link io.polder.spark.RankMain} the process that it starts, and {@link io.polder.spark.RankVoice} how the driver hears what that says. Where nodes do
 * not see the run's directory it is kept as a trial is.
 *
 * <p>What belongs here: all that knows Spark or Hadoop, and nothing else does. The rest of Polder finds this module, where it is on the class path,
 * as a service.
 */
package io.polder.spark;

use crate::service::JobService;
use holdover_jobs::ServiceRequest;
use holdover_store::Store;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Takes expired leases away, so many at a time, from time to time, for as long as it is polled. A sweep that fails
/// is made up for by the next.
pub async fn sweep<S: Store>(service: Arc<JobService<S>>, every: Duration, limit: u32) {
    loop {
        sleep(every).await;
        let _ = service.answer_request(ServiceRequest::Recover { limit }).await;
    }
}
